"""Measurements, each as ratios in one run."""
