/** An account on a chain that was proven to be the caller's. */
export type Account = {
  namespace: Namespace
  kind: 'eoa' | 'contract' | 'delegated' | 'solana'
  /** The chain that a contract account lives on; a key pair lives on all of them. */
  chainId: string | null
  /** Lower case for EVM. */
  address: string
  /** Hash of the call that deploys a contract that is not deployed yet: another call may give it another owner. */
  deployment?: string
}

/** An account as it was proven. */
export type ProvenAccount = Account & {
  /** Of a contract: hash of its code, from `hashCode`. */
  codeHash?: string | null
  /** Of a contract: the signature that it accepted, sealed, to know its holder by. */
  proof?: Buffer
  /** Contract accounts: address of the key that signed, if the signature reveals it. */
  signer?: string | undefined
}

/** The account alone, as it may be shown. */
export function plainAccount({ codeHash: _code, proof: _proof, signer: _signer, ...account }: ProvenAccount): Account {
  return account
}

/**
 * The identity of an account, after CAIP-10. A key pair is one person on every chain, so no chain is named;
 * the same contract address may have other owners on another chain, so the chain is part of it.
 */
export function accountKey({ namespace, chainId, address, deployment }: Account): string {
  if (chainId === null) return `${namespace}:${address}`
  const key = `${namespace}:${chainId}:${address}`
  return deployment === undefined ? key : `${key}:undeployed:${deployment}`
}

/** The family of chains that an account lives on, as CAIP-2 names it. */
export type Namespace = 'eip155' | 'solana'

/** Purpose of a signature. A signature for one purpose is rejected for every other. */
export const purposes = ['signIn', 'link', 'merge', 'reauthenticate'] as const

export type Purpose = (typeof purposes)[number]
