import { RpcError } from './RpcError.ts'

type ProviderError = { code: number; message: string; data?: unknown }

/** The provider's error in the words of geth, which are the ones that clients know how to read. */
export function toRpcError({ code, message, data }: ProviderError): RpcError {
  const revert = revertData(data)
  if (revert) return new RpcError({ code: 3, message: 'execution reverted', data: revert })
  if (code === -32004) return new RpcError({ code: -32601, message })
  return new RpcError({ code, message })
}

const revertData = (data: unknown) => {
  const reason = (data as { reason?: { Revert?: unknown } } | null | undefined)?.reason?.Revert
  return typeof reason === 'string' ? reason : undefined
}
