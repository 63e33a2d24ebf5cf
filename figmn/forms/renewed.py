"""Renewal: (1 - s) C + s C₀ for one component, so that forgetting never ends in a flat covariance. See `Learning`."""

from __future__ import annotations

import numpy as np

from figmn.forms.bases import Upper, Widths
from figmn.forms.inverse import Inverse, inverse_of
from figmn.forms.scatter import Scatter
from figmn.system.arrays import Floats
from figmn.system.lapack import matmul


def renewed_root(root: Floats, share: float, width: Floats) -> Floats:
    """L, lower triangular, with L Lᵀ = (1 - s) C + s diag(width²), given that of C: by QR, which squares nothing.

    >>> root = renewed_root(np.array([[2.0, 0.0], [2.0, 0.0]]), share=0.5, width=np.ones(2))
    >>> root @ root.T
    array([[2.5, 2. ],
           [2. , 2.5]])
    """
    stacked = np.concatenate([np.sqrt(1 - share) * root.T, np.diag(np.sqrt(share) * width)])
    upper: Floats = np.asarray(np.linalg.qr(stacked, mode="r"))
    renewed: Floats = (upper * np.sign(upper.diagonal())[:, None]).T
    return renewed


def renewed_form(form: Scatter | Inverse, share: float, width: Floats, mass: float) -> Scatter | Inverse:
    """The form of (1 - s) C + s diag(width²) with the given mass; one that is young stays young.

    >>> scatter = renewed_form(Scatter(Widths(np.array([2.0, 1.0])), weight=1.0), 0.5, np.ones(2), mass=3.0)
    >>> scatter.covariance(), scatter.weight
    (array([[2.5, 0. ],
           [0. , 1. ]]), 3.0)
    """
    if isinstance(form, Scatter) and isinstance(form.base, Widths):
        return _young(form, share, width, mass)
    scatter = Scatter(Upper(np.sqrt(mass) * renewed_root(form.root(), share, width).T), mass)
    return scatter if isinstance(form, Scatter) else inverse_of(scatter) or scatter


def _young(form: Scatter, share: float, width: Floats, mass: float) -> Scatter:
    kept = (1 - share) * mass / form.weight
    base = np.sqrt(kept * form.base.array**2 + share * mass * width**2)
    rows, strengths = form.rows * (form.base.array / base), kept * form.strengths
    factor = np.linalg.cholesky(np.diag(1 / strengths) + matmul(rows, rows.T)) if form.count else np.empty((0, 0))
    return Scatter.from_arrays(mass, [base, rows, np.asarray(factor, np.float64), strengths])
