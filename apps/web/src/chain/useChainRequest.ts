import { errorCodes, type UseAsync, useClient, useRead } from '@countersign/react'
import { type EndpointName, type EndpointTypes, request } from '@countersign/react/core'

/** One request to an endpoint. Other input starts over; a repeat keeps the result visible. */
export function useChainRequest<Name extends EndpointName>(
  name: Name,
  input: EndpointTypes[Name]['input'],
  enabled = true,
): UseAsync<EndpointTypes[Name]['output']> {
  const client = useClient()
  return keepData(useRead([name, input], (options) => request(client, name, input, options), { enabled }))
}

/** Keeps known data visible after a failed refresh, unless the server says that it is gone. */
export function keepData<Data>(read: UseAsync<Data>): UseAsync<Data> {
  if (read.status !== 'error' || read.data === undefined || read.error.code === errorCodes.ObjectNotFound) return read
  return { ...read, status: 'success', data: read.data, error: undefined }
}
