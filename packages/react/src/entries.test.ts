// @vitest-environment node
import { expect, test } from 'vitest'
import * as adapter from './adapter.ts'
import * as adapterChain from './adapterChain.ts'
import * as errors from './errors.ts'
import * as index from './index.ts'
import * as magic from './magic.ts'
import * as native from './native.ts'
import * as offline from './offline.ts'
import * as push from './push.ts'
import * as query from './query.ts'
import * as rainbowkit from './rainbowkit.ts'
import * as server from './server.ts'
import * as suspense from './suspense.ts'
import * as tanstackDb from './tanstackDb.ts'
import * as transactions from './transactions.ts'
import * as wagmi from './wagmi.ts'
import * as walletconnect from './walletconnect.ts'
import * as web3auth from './web3auth.ts'

test.each([
  [
    'errors',
    errors,
    [
      'AccountAlreadyLinkedError',
      'AccountDeletionPendingError',
      'CancelledError',
      'CountersignError',
      'DocumentNotFoundError',
      'EmailNotVerifiedError',
      'EmailTakenError',
      'InvalidCredentialsError',
      'LastSignInMethodError',
      'MissingProviderError',
      'NodeUnavailableError',
      'NotAuthenticatedError',
      'PasskeyError',
      'ProviderError',
      'RateLimitedError',
      'ReauthenticationRequiredError',
      'RevertError',
      'ServerUnreachableError',
      'UserRejectedError',
      'UsernameTakenError',
      'ValidationError',
      'WrongChainError',
    ],
  ],
  [
    'adapter',
    adapter,
    [
      'ClientContext',
      'HelperError',
      'askNode',
      'createStore',
      'loadOnce',
      'loadWalletLayer',
      'readDocument',
      'readInteger',
      'requireProvider',
      'show',
      'toCountersignError',
      'toEip1193Provider',
      'writeBytes',
      'writeQuery',
    ],
  ],
  [
    'adapterChain',
    adapterChain,
    ['callContract', 'findFunction', 'openChain', 'sendCall', 'sendRaw', 'sendTransfer', 'waitForReceipt'],
  ],
  ['magic', magic, ['createMagicLinkConnector']],
  [
    'query',
    query,
    [
      'createDocumentOptions',
      'deleteDocumentOptions',
      'documentCountOptions',
      'documentOptions',
      'documentPagesOptions',
      'documentsOptions',
      'functionOptions',
      'onClassChange',
      'runFunctionOptions',
      'saveDocumentOptions',
      'syncQueryClient',
    ],
  ],
  ['rainbowkit', rainbowkit, ['createRainbowKitAdapter', 'toRainbowKitStatus']],
  ['server', server, ['createServerClient', 'getServerSession']],
  [
    'offline',
    offline,
    [
      'SyncStatus',
      'createMemoryStore',
      'createPasskeyKey',
      'encryptStore',
      'offline',
      'openIndexedDb',
      'openNativeStore',
      'queueFunction',
      'queueUpload',
      'usePendingWrites',
    ],
  ],
  ['push', push, ['usePush']],
  ['suspense', suspense, ['useSuspenseAll', 'useSuspenseDocument', 'useSuspenseDocumentCount', 'useSuspenseDocuments']],
  ['tanstackDb', tanstackDb, ['documentCollectionOptions']],
  ['transactions', transactions, ['followTransaction', 'useFollowTransaction']],
  ['wagmi', wagmi, ['createWagmiConnector', 'watchWagmi']],
  ['walletconnect', walletconnect, ['createWalletConnectConnector']],
  ['web3auth', web3auth, ['createWeb3AuthConnector']],
])('the export list of @countersign/react/%s, which needs no page to be imported', (_, entry, names) => {
  expect(Object.keys(entry).sort()).toEqual(names)
})

test('the entry for React Native has everything that the main one has', () => {
  expect(Object.keys(native).filter((name) => !(name in index))).toEqual(['createNativeClient'])
  expect(Object.keys(index).filter((name) => !(name in native))).toEqual([])
})
