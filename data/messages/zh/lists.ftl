separator = 、
