"""What a mixture answers: densities, predictions of any columns from any others, and mixtures made of a mixture."""
