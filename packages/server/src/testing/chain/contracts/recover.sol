// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

bytes4 constant VALID = 0x1626ba7e;
bytes4 constant INVALID = 0xffffffff;

/// The key that made a 65 byte signature over `hash`, or the zero address.
function recover(bytes32 hash, bytes calldata signature) pure returns (address) {
    if (signature.length != 65) return address(0);
    return ecrecover(hash, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
}
