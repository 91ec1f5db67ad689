import type { Register } from '../documents/Register.ts'

type Chains = Register extends { chains: infer Told } ? Told : { [name: string]: number }

/** The ids of the application's chains, where it told of them. */
export type ChainId = Extract<Chains[keyof Chains], number>

/** A chain by its id, or by a name that the server knows it by. */
export type ChainRef = ChainId | (keyof Chains & string)
