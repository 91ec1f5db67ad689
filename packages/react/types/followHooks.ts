// Type tests of hooks that follow a chain or any source; `types.test.ts` holds the list complete. Compiling is the test.

import { useBlockNumber, useContractEvents, useSignTypedData, useWaitForReceipt } from '../src/chain.ts'
import { useRead } from '../src/index.ts'

const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const abi = [
  {
    type: 'event',
    name: 'Transfer',
    inputs: [
      { name: 'from', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
] as const

export function useBlockNumberTypes(): void {
  useBlockNumber().data satisfies bigint | undefined
  useBlockNumber({}, { select: (block) => Number(block) }).data satisfies number | undefined
  // @ts-expect-error nothing is there before it was read
  useBlockNumber().data satisfies bigint
}

export function useWaitForReceiptTypes(): void {
  useWaitForReceipt({ hash: '0x12' }).data?.blockNumber satisfies bigint | undefined
  useWaitForReceipt(undefined).status satisfies string
  // @ts-expect-error the hash is missing
  useWaitForReceipt({})
}

export function useContractEventsTypes(): void {
  const { data } = useContractEvents({ address, abi, eventName: 'Transfer' })
  data?.[0]?.args satisfies object | undefined
  // @ts-expect-error the contract has no such event
  useContractEvents({ address, abi, eventName: 'Approval' })
}

export function useSignTypedDataTypes(): void {
  const { signTypedData, data } = useSignTypedData()
  data satisfies `0x${string}` | undefined
  const types = { Mail: [{ name: 'text', type: 'string' }] } as const
  void signTypedData({ types, primaryType: 'Mail', domain: {}, message: { text: 'Hello' } })
  // @ts-expect-error a text is not a number
  void signTypedData({ types, primaryType: 'Mail', domain: {}, message: { text: 5 } })
}

export function useReadTypes(): void {
  useRead('rate', () => Promise.resolve(3)).data satisfies number | undefined
  useRead('rate', () => Promise.resolve(3), { select: (rate) => String(rate) }).data satisfies string | undefined
  // @ts-expect-error a reading has no value yet
  useRead('rate', 3)
}
