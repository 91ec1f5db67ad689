// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Reverts with an error of its own.
contract Reverting {
    error Refused(bytes32 hash);

    function isValidSignature(bytes32 hash, bytes calldata) external pure returns (bytes4) {
        revert Refused(hash);
    }
}
