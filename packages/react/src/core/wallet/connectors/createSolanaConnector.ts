import { CountersignError } from '@countersign/protocol'
import type { Connector, WalletLink } from '../Connector.ts'
import { createSolanaSigner } from '../createSolanaSigner.ts'
import { encodeBase64 } from '../encodeBase64.ts'
import type { StandardWallet } from '../StandardWallet.ts'

/** A Solana wallet that registered itself by Wallet Standard. */
export function createSolanaConnector(
  wallet: StandardWallet,
  info: Pick<Connector, 'id' | 'name' | 'icon'>,
): Connector {
  const { features } = wallet
  const feature = features['solana:signIn']

  function open(): WalletLink {
    return {
      accounts: listAddresses(wallet),
      chainId: 'mainnet',
      signer: createSolanaSigner(wallet),
      watch(listener) {
        const stop = features['standard:events']?.on('change', ({ accounts }) => {
          if (accounts) listener({ type: 'accountsChanged', accounts: listAddresses(wallet) })
        })
        return () => stop?.()
      },
      async disconnect() {
        await features['standard:disconnect']?.disconnect().catch(() => undefined)
      },
    }
  }

  return {
    ...info,
    kind: 'solana',
    namespace: 'solana',
    async connect() {
      await features['standard:connect'].connect()
      return open()
    },
    async reconnect() {
      await features['standard:connect'].connect({ silent: true })
      return listAddresses(wallet).length > 0 ? open() : undefined
    },
    signIn:
      feature &&
      (async (_, { namespace: _namespace, address: _address, ...fields }) => {
        const [signed] = await feature.signIn({ ...fields, version: '1' })
        if (!signed)
          throw new CountersignError('OtherCause', 'Data not signed', { details: 'The wallet answered nothing.' })
        const message = new TextDecoder().decode(signed.signedMessage)
        return {
          link: open(),
          address: signed.account.address,
          message,
          signature: encodeBase64(signed.signature),
        }
      }),
  }
}

function listAddresses({ accounts }: StandardWallet): string[] {
  return accounts.filter(({ chains }) => chains.some((one) => one.startsWith('solana:'))).map(({ address }) => address)
}
