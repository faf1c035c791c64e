"""What a decay law means: the function space, the feature map, the rates of regression."""
