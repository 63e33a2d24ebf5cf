"""ARFF files."""
