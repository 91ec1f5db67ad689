export {
  createTestClient,
  type ScriptedResponse,
  type SentRequest,
  type TestClient,
  type TestClientOptions,
} from './testClient/createTestClient.ts'
export { addTestWallet, type TestContext } from './testWallet/addTestWallet.ts'
export { announceTestWallet } from './testWallet/announceTestWallet.ts'
export { createTestWallet } from './testWallet/createTestWallet.ts'
export type { PageAnswer, PageCall, PageEvent, PageHost, PageInfo } from './testWallet/PageCall.ts'
export type { TestError, TestRequest, TestWallet, TestWalletOptions } from './testWallet/TestWallet.ts'
export { type WalletFixtures, walletFixtures } from './testWallet/walletFixtures.ts'
