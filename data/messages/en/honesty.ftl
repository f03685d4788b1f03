### What is said where a model denies again that it is an AI.

i-am-an-ai = yes, I'm an AI
