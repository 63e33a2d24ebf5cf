"""The Predict page: any attributes from any others, with the mixture of the run."""
