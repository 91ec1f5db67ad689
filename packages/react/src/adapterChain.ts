// The part of `adapter` that brings viem along. It is an entry of its own, so that a page loads it with its first
// call of a contract, and a server that renders pages does not load it at all.
export { callContract } from './core/chain/callContract.ts'
export { findFunction } from './core/chain/encodeCall.ts'
export { openChain } from './core/chain/openChain.ts'
export { sendCall } from './core/chain/sendCall.ts'
export { sendRaw } from './core/chain/sendRaw.ts'
export { sendTransfer } from './core/chain/submitTransfer.ts'
export { waitForReceipt } from './core/chain/waitForReceipt.ts'
