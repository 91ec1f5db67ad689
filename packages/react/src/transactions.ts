export {
  type FollowedTransaction,
  type FollowTransactionInput,
  followTransaction,
} from './core/chain/followTransaction.ts'
export { type UseFollowTransaction, useFollowTransaction } from './hooks/chain/useFollowTransaction.ts'
