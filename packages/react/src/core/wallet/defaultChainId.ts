/** R14: the chain where none is known. */
export const defaultChainId = 1
