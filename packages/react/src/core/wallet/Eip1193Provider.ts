/** A wallet as pages meet it (EIP-1193): JSON-RPC by method and parameters, and events where it has them. */
export type Eip1193Provider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (payload: unknown) => void): unknown
  removeListener?(event: string, listener: (payload: unknown) => void): unknown
}
