// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A small ERC-20 whose refusals are those of ERC-6093. Its deployer holds all of it.
contract Coin {
    string public constant name = "Coin";
    string public constant symbol = "COIN";
    uint8 public constant decimals = 6;
    uint256 public totalSupply = 1_000_000e6;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed);

    constructor() {
        balanceOf[msg.sender] = totalSupply;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 balance = balanceOf[msg.sender];
        if (balance < value) revert ERC20InsufficientBalance(msg.sender, balance, value);
        balanceOf[msg.sender] = balance - value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
