import { CountersignError } from '@countersign/protocol'
import {
  BaseError,
  getTypesForEIP712Domain,
  type Hex,
  hashTypedData,
  isHex,
  serializeTypedData,
  type TypedDataDefinition,
} from 'viem'
import type { Client } from '../client/Client.ts'
import { ValidationError } from '../errors/errors.ts'
import { readAccounts } from '../wallet/connectors/readAccounts.ts'
import { openPrompt } from '../wallet/proof/openPrompt.ts'
import { checkChain, openChain } from './openChain.ts'
import type { SignTypedDataInput } from './SignTypedDataInput.ts'
import { findSender } from './submitTransaction.ts'

/** Has the wallet sign typed data, on the right chain and with the account that the page shows. */
export async function askTypedSignature(
  client: Client,
  { provider, account, chainId, ...typed }: SignTypedDataInput,
  signal?: AbortSignal,
): Promise<Hex> {
  const data = typed as unknown as TypedDataDefinition
  const text = writeTypedData(data)
  const choice = { ...(provider && { provider }), ...(account && { account }) }
  const wanted = chainId ?? (data.domain?.chainId === undefined ? undefined : Number(data.domain.chainId))
  const chain = openChain(client, { ...choice, ...(wanted !== undefined && { chainId: wanted }) })
  const wish = ['signTypedData', chain.provider, chain.account, wanted, text]
  return openPrompt(client, wish, signal, async (prompt) => {
    const ask = chain.listen(prompt.signal)
    await checkChain(ask, wanted)
    const from = await findSender(client, choice, prompt.signal)
    const signature = await ask('eth_signTypedData_v4', [from, text])
    // The person may have changed the account in the wallet's window: the page would show somebody else.
    const [present] = account ? [from] : readAccounts(await ask('eth_accounts'))
    if (present?.toLowerCase() !== from.toLowerCase()) {
      throw new CountersignError('OtherCause', 'The account in the wallet changed while signing.', {
        reason: 'walletAccountChanged',
        details: `It changed from ${from} to ${present}.`,
      })
    }
    if (isHex(signature) && signature.length > 2) return signature
    throw new CountersignError('OtherCause', 'The wallet returned no signature.')
  })
}

/** Typed data as wallets take it. */
function writeTypedData(data: TypedDataDefinition): string {
  try {
    // Wallets need the type of the domain, which callers may leave out.
    const types = { EIP712Domain: getTypesForEIP712Domain({ domain: data.domain }), ...data.types }
    const whole = { ...data, types } as unknown as TypedDataDefinition
    // Encoded here first: a value that does not fit its type is refused before the wallet is asked.
    hashTypedData(whole)
    return serializeTypedData(whole)
  } catch (error) {
    const reason = error instanceof BaseError ? error.shortMessage : String(error)
    throw new ValidationError('The typed data is not valid', reason)
  }
}
