// Optional peers: not installed here, so their types are missing. The used parts are declared beside each connector.
declare module '@walletconnect/ethereum-provider'
declare module '@web3auth/modal'
declare module 'magic-sdk'
