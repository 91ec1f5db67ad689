import { askChain } from './askChain.ts'
import { readPages } from './readPages.ts'

/** What asks for data of chains, in one piece, so that one request of the browser brings all of it. */
export const asking = { askChain, readPages }
