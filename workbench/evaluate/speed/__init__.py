"""The paper's tables of training and testing times: settings, measurement, figures and their texts."""
