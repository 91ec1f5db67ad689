export {
  type FollowedTransaction,
  type FollowTransactionInput,
  followTransaction,
} from './core/actions/followTransaction.ts'
export { type UseFollowTransaction, useFollowTransaction } from './hooks/useFollowTransaction.ts'
