// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {recover, VALID, INVALID} from "./recover.sol";

/// ERC-1271 for one key that is part of the code and not of the storage: what an account that is delegated to it
/// (EIP-7702) accepts, whatever the account's own key is.
contract KeyHolder {
    address public immutable key;

    constructor(address signer) {
        key = signer;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        address signer = recover(hash, signature);
        return signer != address(0) && signer == key ? VALID : INVALID;
    }
}
