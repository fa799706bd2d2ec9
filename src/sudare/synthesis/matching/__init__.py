"""The exact step: drawn numbers are changed a little until mean and covariance are those wanted."""
