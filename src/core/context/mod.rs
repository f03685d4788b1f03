//! What the model is shown: escaped sections with token counts, short ids, a budget, eviction in batches.
