// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {recover, VALID, INVALID} from "./recover.sol";

/// An account that one key owns (ERC-1271). The owner is set after construction, so that the creation code, and with it
/// the CREATE2 address, says nothing of the owner.
contract SmartAccount {
    address public owner;

    error AlreadyOwned(address owner);

    function initialize(address firstOwner) external {
        if (owner != address(0)) revert AlreadyOwned(owner);
        owner = firstOwner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        address signer = recover(hash, signature);
        return signer != address(0) && signer == owner ? VALID : INVALID;
    }
}
