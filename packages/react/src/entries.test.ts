// @vitest-environment node
import { expect, test } from 'vitest'
import * as ethers from './ethers.ts'
import * as magic from './magic.ts'
import * as rainbowkit from './rainbowkit.ts'
import * as server from './server.ts'
import * as wagmi from './wagmi.ts'
import * as walletconnect from './walletconnect.ts'
import * as web3auth from './web3auth.ts'

test.each([
  [
    'ethers',
    ethers,
    [
      'HelperError',
      'commify',
      'formatBytes32String',
      'formatEther',
      'formatUnits',
      'getDefaultProvider',
      'parseBytes32String',
      'parseEther',
      'parseUnits',
      'solidityKeccak256',
      'solidityPack',
      'soliditySha256',
      'toEip1193Provider',
    ],
  ],
  ['magic', magic, ['createMagicLinkConnector']],
  ['rainbowkit', rainbowkit, ['createRainbowKitAdapter', 'toRainbowKitStatus']],
  ['server', server, ['getServerSession']],
  ['wagmi', wagmi, ['createWagmiConnector', 'watchWagmi']],
  ['walletconnect', walletconnect, ['createWalletConnectConnector']],
  ['web3auth', web3auth, ['createWeb3AuthConnector']],
])('the export list of @countersign/react/%s, which needs no page to be imported', (_, entry, names) => {
  expect(Object.keys(entry).sort()).toEqual(names)
})
