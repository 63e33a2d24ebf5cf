"""Forms in which a component keeps its covariance."""
