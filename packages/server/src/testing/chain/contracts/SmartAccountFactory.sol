// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SmartAccount} from "./SmartAccount.sol";

/// Deploys accounts to addresses that follow from the salt alone. Asked again, it answers with the account that is
/// there, as ERC-4337 factories do.
contract SmartAccountFactory {
    function createAccount(address owner, bytes32 salt) external returns (SmartAccount account) {
        bytes32 code = keccak256(type(SmartAccount).creationCode);
        bytes32 digest = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code));
        account = SmartAccount(address(uint160(uint256(digest))));
        if (address(account).code.length > 0) return account;
        account = new SmartAccount{salt: salt}();
        account.initialize(owner);
    }
}
