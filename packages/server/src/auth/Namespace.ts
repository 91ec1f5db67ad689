/** The family of chains that an account lives on, as CAIP-2 names it. */
export type Namespace = 'eip155' | 'solana'

/** What a signature is for. One that was given for one purpose serves no other. */
export const purposes = ['signIn', 'link', 'merge', 'stepUp'] as const
export type Purpose = (typeof purposes)[number]
