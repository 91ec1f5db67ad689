export {
  type EthersCode,
  HelperError,
  type IntegerLike,
  type ProviderLike,
  toEip1193Provider,
} from '@countersign/react/adapter'
export type { Eip1193Provider } from '@countersign/react/core'
export { type BytesLike, formatBytes32String, parseBytes32String } from './ethers/bytes.ts'
export { type DefaultProviderOptions, getDefaultProvider, type Network } from './ethers/getDefaultProvider.ts'
export { solidityKeccak256, solidityPack, soliditySha256 } from './ethers/solidityPack.ts'
export { commify, formatEther, formatUnits, parseEther, parseUnits, type UnitName } from './ethers/units.ts'
