// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Works until the gas is gone: on much at a time, since the test chain is slow by the step and not by the gas.
contract GasBurner {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        bytes memory fuel = new bytes(65536);
        while (true) fuel[0] = keccak256(fuel)[0];
        return bytes4(fuel[0]);
    }
}
