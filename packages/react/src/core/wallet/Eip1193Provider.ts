/** A wallet as pages meet it (EIP-1193): JSON-RPC by method and parameters. */
export type Eip1193Provider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}
