"""Private learning in scikit-learn's manners; scikit-learn is loaded with the first estimator."""
