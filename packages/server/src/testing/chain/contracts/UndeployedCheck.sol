// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {VALID} from "./recover.sol";

/// What the server runs by eth_call, without deploying it, to check a signature of an account that is not deployed yet
/// (ERC-6492). Answers 1 where the account accepts the signature once its deployment was carried out, 2 where it is
/// deployed already (nothing is carried out then), 0 otherwise.
contract UndeployedCheck {
    constructor(address account, bytes32 hash, bytes memory signature, address factory, bytes memory deployment) {
        uint256 answer = check(account, hash, signature, factory, deployment);
        assembly {
            mstore(0, answer)
            return(0, 32)
        }
    }

    function check(
        address account,
        bytes32 hash,
        bytes memory signature,
        address factory,
        bytes memory deployment
    ) private returns (uint256) {
        if (account.code.length > 0) return 2;
        (bool made, ) = factory.call(deployment);
        if (!made || account.code.length == 0) return 0;
        (bool answered, bytes memory result) = account.staticcall(
            abi.encodeWithSignature("isValidSignature(bytes32,bytes)", hash, signature)
        );
        return answered && result.length >= 32 && bytes32(result) == bytes32(VALID) ? 1 : 0;
    }
}
