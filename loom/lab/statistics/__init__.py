"""Statistics of paired scores, rates, raters and rankings, each on plain lists.

Libraries serve where they are exact for the case (scipy's binomial, t and non-central t); the rest is here, held against brute
force and against scipy, statsmodels and scikit-learn by the tests. Bad input raises BadInput with one sentence.
"""

from loom.lab.statistics.agreement import Kappa, fleiss, kappa
from loom.lab.statistics.bars import Bar, bar, trials
from loom.lab.statistics.bootstrapping import RESAMPLES, SEED
from loom.lab.statistics.calibration import Calibration, ece
from loom.lab.statistics.comparing import (
    Compared,
    Drawing,
    Scores,
    answered,
    as_service,
    common_ids,
    compare,
    intention_to_treat,
)
from loom.lab.statistics.discrimination import Auc, AucDifference, auc, auc_difference, auc_interval
from loom.lab.statistics.enumerating import Enumerated, enumerated
from loom.lab.statistics.equivalence import NonRegression, Tost, non_regression, tost, worst
from loom.lab.statistics.families import holm, holm_of
from loom.lab.statistics.intervals import Interval, bootstrap, interval
from loom.lab.statistics.pairing import Paired, paired
from loom.lab.statistics.powering import Power, design, detectable, pairs, power
from loom.lab.statistics.proportions import McNemar, mcnemar, mcnemar_of, wilson
from loom.lab.statistics.ranking import mrr, ndcg, recall_at, reciprocal_rank
from loom.lab.statistics.signs import SignedRank, rank_biserial, signed_rank
from loom.lab.statistics.strata import Stratum, WeightedRate, weighted_rate

__all__ = [
    "RESAMPLES",
    "SEED",
    "Auc",
    "AucDifference",
    "Bar",
    "Calibration",
    "Compared",
    "Drawing",
    "Enumerated",
    "Interval",
    "Kappa",
    "McNemar",
    "NonRegression",
    "Paired",
    "Power",
    "Scores",
    "SignedRank",
    "Stratum",
    "Tost",
    "WeightedRate",
    "answered",
    "as_service",
    "auc",
    "auc_difference",
    "auc_interval",
    "bar",
    "bootstrap",
    "common_ids",
    "compare",
    "design",
    "detectable",
    "ece",
    "enumerated",
    "fleiss",
    "holm",
    "holm_of",
    "intention_to_treat",
    "interval",
    "kappa",
    "mcnemar",
    "mcnemar_of",
    "mrr",
    "ndcg",
    "non_regression",
    "paired",
    "pairs",
    "power",
    "rank_biserial",
    "recall_at",
    "reciprocal_rank",
    "signed_rank",
    "tost",
    "trials",
    "weighted_rate",
    "wilson",
    "worst",
]
