"""What randomised reports tell together: statistics with standard errors, from reports alone."""
