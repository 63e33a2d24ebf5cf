"""How good the mixtures are: AUC beside other learners, accuracy on streams, likelihood beside `GaussianMixture`."""
