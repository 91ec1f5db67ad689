// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A token from before the standard, whose name and symbol are 32 bytes.
contract OldToken {
    bytes32 public constant name = "Old Maker";
    bytes32 public constant symbol = "OLD";
    uint256 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() {
        balanceOf[msg.sender] = 5;
        emit Transfer(address(0), msg.sender, 5);
    }
}
