import type { Web3Api } from '../web3/createApis.ts'
import { type AccountParams, useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

/** A hook of a call about an address; its function is called `as` in what the hook answers. */
export function createAccountHook<const As extends string>(name: keyof Web3Api['account'], as: As) {
  return (params?: AccountParams, options?: UseResolveCallOptions) => {
    const call = useMoralis().Moralis.Web3API.account[name]
    const { fetch, setData: _, chainId: __, ...state } = useAccountCall(call, params, options)
    return { [as]: fetch, ...state } as typeof state & { [Name in As]: typeof fetch }
  }
}
