"""Parts of the Evaluate page that show one result: figures, confusion matrix, curves, residuals, folds."""
