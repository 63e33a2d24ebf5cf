"""Fast IGMN as scikit-learn estimators: a classifier, a regressor and a density.

`fit` learns the rows in order, each once, with initial widths from the standard deviations of the whole table.
`partial_fit` continues from the previous call; on a new estimator it uses running standard deviations instead. Between
two calls `set_params` may change the hyper-parameters that may change during a run, `figmn.params.CHANGEABLE`; a change
of any other is refused by the next `partial_fit`.

NaN in X means missing, both when learning and when predicting. A row without any known value in X is skipped, even
where its target is known: `n_skipped_` counts such rows, and each call gives one `EmptyRowWarning` with their positions
in X, counted from 0 as scikit-learn does.

`sample_weight` multiplies the evidence of a row; a row of weight 0 is left out, as if it were not there. A weight of 2
equals the row twice in a row while there is one component. With more, the second of two equal rows finds the posteriors
that the first has changed, and a birth comes only once: the results are then close, not equal.
"""

from figmn.estimators.base import EmptyRowWarning
from figmn.estimators.classifier import FastIGMNClassifier
from figmn.estimators.ensemble import FastIGMNEnsemble
from figmn.estimators.mixture import FastIGMNMixture
from figmn.estimators.regressor import FastIGMNRegressor

__all__ = ["EmptyRowWarning", "FastIGMNClassifier", "FastIGMNEnsemble", "FastIGMNMixture", "FastIGMNRegressor"]
