type OneInchToken = { address: string; decimals: number }

export type OneInchParams = {
  chain?: string
  fromAmount: string | number
  fromToken: OneInchToken
  toToken: OneInchToken
}
