export {
  type FollowedTransaction,
  type FollowTransactionInput,
  followTransaction,
} from './core/actions/wallet/followTransaction.ts'
export { type UseFollowTransaction, useFollowTransaction } from './hooks/chain/useFollowTransaction.ts'
