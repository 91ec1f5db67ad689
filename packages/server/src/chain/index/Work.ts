/** A stretch of final blocks that is to be read, and for whom. */
export type Work = {
  id: number
  kind: 'all' | 'contract' | 'address' | 'watched' | 'transactions'
  addresses: string[]
  first: number
  next: number
  last: number
  failures: number
}
