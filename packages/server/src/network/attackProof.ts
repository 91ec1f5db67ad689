/** Path at which a server proves that its operator allows `countersign attack`. */
export const proofPath = '/.well-known/countersign-attack'

/** Text before the nonce: keeps the token from signing anything else. */
export const proofPrefix = 'countersign attack '
