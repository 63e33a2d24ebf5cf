"""What a run is made from: dataset, choices, and the recipe as JSON."""
