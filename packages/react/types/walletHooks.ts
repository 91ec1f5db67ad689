// For each hook of wallets and contracts what must compile and what must not; `types.test.ts` holds the list complete. Compiling is the test.

import {
  useAddChain,
  useCallsStatus,
  useCapabilities,
  useReadContract,
  useSendTransaction,
  useSendTransfer,
  useSignMessage,
  useSwitchChain,
  useWriteContract,
} from '../src/chain.ts'
import type { ConnectedWallet } from '../src/core.ts'
import {
  type Connector,
  createInjectedConnector,
  useAccountMismatch,
  useConnectors,
  useConnectWallet,
  useDisconnectWallet,
  useWallet,
} from '../src/index.ts'
import { useFollowTransaction } from '../src/transactions.ts'

const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const abi = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'owner', type: 'address' }],
    outputs: [{ type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ type: 'bool' }],
  },
] as const

export function useFollowTransactionTypes(): void {
  const sent = useFollowTransaction({ chain: 1, hash: '0x1', data: { order: 'o-17' } })
  if (sent.status === 'success') {
    sent.data.status satisfies 'pending' | 'mined' | 'final' | 'reverted' | 'replaced' | 'dropped'
    sent.data.value satisfies bigint | undefined
  }
  useFollowTransaction(undefined)
  const status = useFollowTransaction(undefined, { select: (followed) => followed.status })
  if (status.status === 'success') status.data satisfies string
  // @ts-expect-error a hash is of one chain
  useFollowTransaction({ hash: '0x1' })
}

export function useWalletTypes(): void {
  const wallet = useWallet()
  if (wallet.status === 'connected') wallet.connector satisfies Connector
  if (wallet.status === 'connected' && wallet.namespace === 'eip155') {
    wallet.account satisfies `0x${string}` | undefined
    wallet.chainId satisfies number | undefined
  }
  // @ts-expect-error a Solana account is no EVM address
  if (wallet.status === 'connected') wallet.account satisfies `0x${string}` | undefined
  // @ts-expect-error there may be none
  wallet.account
}

export function useConnectorsTypes(): void {
  useConnectors()[0]?.id satisfies string | undefined
  // @ts-expect-error the list is not changed
  useConnectors().push(createInjectedConnector())
}

export function useConnectWalletTypes(): void {
  const { connectWallet, data } = useConnectWallet()
  data satisfies ConnectedWallet | undefined
  void connectWallet({ connector: createInjectedConnector(), chainId: 1 })
  // @ts-expect-error a chain is a number
  void connectWallet({ chainId: 'mainnet' })
}

export function useDisconnectWalletTypes(): void {
  const { disconnectWallet, status } = useDisconnectWallet()
  status satisfies string
  void disconnectWallet()
  // @ts-expect-error there is one
  void disconnectWallet({ connector: 'injected' })
}

export function useAccountMismatchTypes(): void {
  const { mismatch, dismiss } = useAccountMismatch()
  mismatch?.signedInAs satisfies string | undefined
  dismiss satisfies () => void
  // @ts-expect-error there may be none
  mismatch.account
}

export function useSwitchChainTypes(): void {
  const { switchChain, error } = useSwitchChain()
  if (error?.reason === 'userRejected') error.message satisfies string
  void switchChain({ chainId: 1 })
  // @ts-expect-error a chain is a number
  void switchChain({ chainId: '1' })
}

export function useAddChainTypes(): void {
  const { addChain, status } = useAddChain()
  status satisfies string
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  void addChain({ id: 8453, name: 'Base', nativeCurrency, rpcUrls: ['https://base.example'] })
  // @ts-expect-error its coin and nodes are missing
  void addChain({ id: 8453, name: 'Base' })
}

export function useSignMessageTypes(): void {
  const { signMessage, data } = useSignMessage()
  data satisfies string | undefined
  void signMessage({ message: 'I was here' })
  // @ts-expect-error a text on its own
  void signMessage('I was here')
}

export function useReadContractTypes(): void {
  const { data } = useReadContract({ address, abi, functionName: 'balanceOf', args: [address] }, { staleTime: 1000 })
  data satisfies bigint | undefined
  useReadContract({ address, abi, functionName: 'balanceOf', args: [address] }, { select: String }).data satisfies
    | string
    | undefined
  // @ts-expect-error the argument is missing
  useReadContract({ address, abi, functionName: 'balanceOf' })
  // @ts-expect-error it changes something
  useReadContract({ address, abi, functionName: 'transfer', args: [address, 1n] })
  // @ts-expect-error a contract has an address
  useReadContract({ address: 'usdc', abi, functionName: 'balanceOf', args: [address] })
}

export function useWriteContractTypes(): void {
  const { writeContract, data } = useWriteContract()
  data?.hash satisfies `0x${string}` | undefined
  void writeContract({ address, abi, functionName: 'transfer', args: [address, 1n], onHash: (hash) => hash.length })
  // @ts-expect-error it changes nothing
  void writeContract({ address, abi, functionName: 'balanceOf', args: [address] })
  // @ts-expect-error the second argument is missing
  void writeContract({ address, abi, functionName: 'transfer', args: [address] })
}

export function useSendTransactionTypes(): void {
  const { sendTransaction, data } = useSendTransaction()
  data?.receipt?.blockNumber satisfies bigint | undefined
  void sendTransaction({ to: address, value: 1n, wait: true })
  // @ts-expect-error a name is no address
  void sendTransaction({ to: 'ada.eth', value: 1n })
}

export function useSendTransferTypes(): void {
  const { sendTransfer, data } = useSendTransfer()
  data?.hash satisfies `0x${string}` | undefined
  void sendTransfer({ type: 'erc721', address, to: address, tokenId: 1n })
  // @ts-expect-error which token is missing
  void sendTransfer({ type: 'erc721', address, to: address })
}

export function useCallsStatusTypes(): void {
  const calls = useCallsStatus('0x1', { staleTime: 1_000 })
  calls.data?.status satisfies 'pending' | 'success' | 'failure' | undefined
  useCallsStatus(undefined)
  // @ts-expect-error an id is a text
  useCallsStatus(1)
}

export function useCapabilitiesTypes(): void {
  const { data } = useCapabilities()
  data?.[8453]?.paymasterService satisfies unknown
  // @ts-expect-error chains go by their numbers
  data?.base
}
